// SPDX-License-Identifier: Apache-2.0
//
// Renders public/icon.svg into the PNG sizes that phones ask for. Run by hand when the drawing changes; the
// results are kept in git, so that a build needs no browser.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'public');
const drawing = readFileSync(join(folder, 'icon.svg'), 'utf8').replace(/<!--.*?-->/s, '');
// A maskable icon is cut to a circle by some phones: paper to the edge, the drawing well inside.
const masked = drawing.replace('rx="28" fill', 'rx="0" fill').replace(/viewBox="[^"]*"/, 'viewBox="-16 -16 160 160"');
const wanted = [
    ['icon-180.png', 180, drawing, '#faf6ec'],
    ['icon-192.png', 192, drawing, 'transparent'],
    ['icon-512.png', 512, drawing, 'transparent'],
    ['icon-mask-512.png', 512, masked, '#faf6ec'],
];

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const [name, size, svg, paper] of wanted) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0;background:${paper}}svg{display:block;width:${size}px}</style>${svg}`);
    await page.screenshot({ path: join(folder, name), omitBackground: true });
    await page.close();
}
await browser.close();
