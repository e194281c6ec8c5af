// SPDX-License-Identifier: MIT
// Runs before the first paint, so that nobody who chose dark sees a white flash.
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

show();
document.addEventListener('DOMContentLoaded', () => {
  show();
  document.querySelector('[data-theme-button]')?.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
    try {
      localStorage.setItem('maskflow-theme', theme);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    show();
  });
});
