#!/bin/sh
# Not run here: builds an AppImage from the standalone folder; needs make bundle and appimagetool.
#   sh recipes/appimage.sh
set -e
cd "$(dirname "$0")/.."
make bundle
app=build/wavediff.AppDir
rm -rf "$app"
mkdir -p "$app/usr/bin"
cp -R dist/wavediff/. "$app/usr/bin/"
XDG_DATA_HOME="$PWD/$app/usr/share" "$app/usr/bin/wavediff" desktop
sed 's/^Exec=.*/Exec=wavediff %F/' "$app/usr/share/applications/wavediff.desktop" > "$app/wavediff.desktop"
cp resources/wavediff.svg "$app/"
ln -s usr/bin/wavediff "$app/AppRun"
appimagetool "$app" "dist/Wavediff-$(uname -m).AppImage"
