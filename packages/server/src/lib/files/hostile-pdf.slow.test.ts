import { expect, it } from 'vitest';
import { compressed, makePdf, textContent } from '../testing/pdf.ts';
import { setupAttachments } from '../testing/setup-attachments.ts';

it.each([
  ['decompresses to more than fits into memory', Buffer.alloc(600_000_000, ' ')],
  ['has more objects than fit into the heap', Buffer.from(`[${'1 '.repeat(50_000_000)}]`)],
])('a PDF that %s is read up to that page, and ends no process', async (_, bytes) => {
  const { upload, ask, answers, contentForModel } = await setupAttachments();
  const file = makePdf([textContent('First'), compressed({ bytes })]);

  await answers(await ask('?', await upload('bomb.pdf', file)));

  expect(contentForModel()).toContain('[Page 1]\nFirst\n[End of');
  expect(contentForModel()).toMatch(/\[The rest of the file is left out/);
});

it('a PDF with 5,000 pages is read up to page 500', async () => {
  const { upload, ask, answers, contentForModel } = await setupAttachments();
  const pages = Array.from({ length: 5_000 }, (_, index) => textContent(`Text ${index + 1}`));

  await answers(await ask('?', await upload('book.pdf', makePdf(pages))));

  expect(contentForModel()).toContain('PDF with 5000 pages');
  expect(contentForModel()).toMatch(
    /\[Page 500\]\nText 500\n\[End of \S+\]\n\[The rest of the file/,
  );
});
