/** Attachments: selection, client-side validation, sending, and the agent's reply. */
import { expect, test } from '../fixtures.ts';

const list = { name: 'packing list.txt', mimeType: 'text/plain', buffer: Buffer.from('a lamp') };
const archive = {
  name: 'photos.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from('PK\u0003\u0004'),
};

test('the agent receives an attached file, which is still shown after a reload', async ({
  chat,
  page,
}) => {
  await chat.attach([list, archive]);
  const refused = page.getByRole('listitem').filter({ hasText: 'photos.zip' });
  await expect(refused).toContainText('not supported');
  await chat.button('Remove photos.zip').click();

  await chat.ask('Here is what I pack');

  await expect(chat.answers.last()).toContainText('packing list.txt');
  await page.reload();
  await expect(chat.questions.last()).toContainText('packing list.txt');
});
