// Reports to the learning platform that shows the page, by SCORM 1.2: the best score, whether all is done, the time.
const api = w => { try { return w && (w.API || w !== w.parent && api(w.parent) || api(w.opener)); } catch { } };
const lms = api(window), begun = new Date();
if (lms) {
  const set = values => Object.entries(values).forEach(([name, one]) => lms.LMSSetValue("cmi.core." + name, `${one}`));
  lms.LMSInitialize("");
  const [raw, status] = ["score.raw", "lesson_status"].map(name => lms.LMSGetValue("cmi.core." + name));
  window.report = (score, isDone) => {
    set({"score.min": 0, "score.max": 100, "score.raw": Math.round(Math.max(score, +raw || 0))});
    set({lesson_status: /completed|passed/.test(status) ? status : isDone ? "completed" : "incomplete"});
    lms.LMSCommit("");
  };
  onpagehide = () => [set({session_time: new Date(new Date() - begun).toISOString().slice(11, 22)}), lms.LMSFinish("")];
}
