/**
 * Makes `<picture>` elements follow the light or dark mode chosen on the site. By default they follow
 * the `prefers-color-scheme` of the operating system.
 */
export function followAppearance(): void {
  const root = document.documentElement;
  const update = () => {
    const media = root.classList.contains('dark') ? 'all' : 'not all';
    for (const source of document.querySelectorAll('picture source')) {
      if (source.getAttribute('media') !== media) source.setAttribute('media', media);
    }
  };
  new MutationObserver(update).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ['class'],
  });
  update();
}
