// SPDX-License-Identifier: MIT
// A figure as a PNG file, drawn from its SVG. A picture loads no files, so the SVG contains the
// page's fonts.
import { svgOf } from './svg_file.js';

/** Pixels of the file for each pixel of the screen. */
const density = 2;

/** Returns the bytes of a PNG file with a figure, as the screen shows it. */
export async function pngOf(figure: HTMLElement, title: string): Promise<Blob> {
  const text = svgOf(figure, title, await fontFaces());
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth * density;
  canvas.height = picture.naturalHeight * density;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!file) throw new Error('The browser wrote no PNG; save the figure as SVG.');
  return file;
}

/** The rules of the page's fonts; they are missing on a page that was opened from a folder. */
async function fontFaces(): Promise<string> {
  const families = { next: 'Atkinson Hyperlegible Next', mono: 'Atkinson Hyperlegible Mono' };
  const rules = Object.entries(families).map(async ([name, family]) => {
    try {
      const response = await fetch(`fonts/atkinson-${name}.woff2`);
      const source = await addressOf(await response.blob());
      return `@font-face{font-family:'${family}';font-weight:400 680;src:url(${source})}`;
    } catch {
      return '';
    }
  });
  return (await Promise.all(rules)).join('');
}

/** Returns an address that contains the bytes. */
function addressOf(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });
}
