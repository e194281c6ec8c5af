// SPDX-License-Identifier: MIT
// Runs before the first paint: the theme, so that nobody who chose dark sees a white flash, and the
// choice between the two builds of the page's script.
const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

function stored(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem('maskflow-theme')) ?? 'auto';
  } catch {
    return 'auto';
  }
}

let theme = stored();

function show(): void {
  document.documentElement.dataset['theme'] = theme;
  const name = document.querySelector('[data-theme-name]');
  if (name) name.textContent = theme;
}

function next(): void {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  try {
    localStorage.setItem('maskflow-theme', theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  show();
}

// Modules fetch only the variant of the core that this browser runs, but browsers refuse them to pages
// opened from a folder; for those there is one classic script with everything in it.
function load(): void {
  const script = document.createElement('script');
  if (location.protocol === 'file:') script.src = 'demo.js';
  else {
    script.type = 'module';
    script.src = 'demo.mjs';
  }
  script.async = false;
  document.head.append(script);
}

show();
load();
document.addEventListener('DOMContentLoaded', () => {
  show();
  document.querySelector('[data-theme-button]')?.addEventListener('click', next);
});
