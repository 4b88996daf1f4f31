const meta = document.querySelector<HTMLMetaElement>('meta[name="inlay-platform"]');

/** The platform's address. A site of your own has a constant here. */
export const platform = meta?.content ?? 'https://chat.example';
