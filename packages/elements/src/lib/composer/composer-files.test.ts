import '../../define-all.ts';
import { InlayError } from '@inlay/client';
import type { FileObject } from '@inlay/protocol';
import type { Upload } from '../attachments/uploads.ts';
import { expectAccessible } from '../testing/accessible.ts';
import { setupComposer as setup } from '../testing/composer.ts';
import { expect } from '../testing/fixture.ts';
import { deepAll, until } from '../testing/user.ts';

function fileOf(name: string, type = 'text/plain', size = 4): File {
  return new File([new Uint8Array(size)], name, { type });
}

function fileObjectOf(file: File): FileObject {
  return {
    type: 'file',
    id: `file_${file.name}`,
    filename: file.name,
    mime_type: file.type,
    size_bytes: file.size,
    created_at: '2026-05-04T12:00:00Z',
  };
}

const policy = { maxBytes: 1000, maxFiles: 3, mediaTypes: ['text/plain', 'image/*'] };

describe('inlay-composer with attachments', () => {
  it('shows the attach button only if attachments are enabled', async () => {
    const { element, user } = await setup();
    expect(user.buttons('Attach files')).to.have.length(0);

    Object.assign(element, {
      attachments: policy,
      upload: async (file: File) => fileObjectOf(file),
    });
    await until('the button', () => user.buttons('Attach files').length === 1);
    await expectAccessible(element);
  });

  it('sends images as image blocks and other files as documents, and then removes all files from the composer', async () => {
    const { element, user, type, sent } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
    });
    element.addFiles([fileOf('notes.txt'), fileOf('photo.png', 'image/png')]);
    await user.sees('photo.png');
    await until('both files to arrive', () => user.buttons('Send')[0]?.disabled === false);
    await expectAccessible(element);
    await type('Look at these');

    user.press('Enter');
    await element.updateComplete;

    expect(sent[0]?.attached).to.deep.equal([
      {
        type: 'document',
        source: { type: 'file', file_id: 'file_notes.txt' },
        title: 'notes.txt',
        size_bytes: fileOf('notes.txt').size,
      },
      { type: 'image', source: { type: 'file', file_id: 'file_photo.png' } },
    ]);
    expect(user.text).not.to.include('notes.txt');
  });

  it('sends attachments without text once they are uploaded', async () => {
    const { element, user, sent } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
    });
    element.addFiles([fileOf('notes.txt')]);
    await until('the file to arrive', () => user.buttons('Send')[0]?.disabled === false);

    user.press('Enter');

    expect(sent[0]?.text).to.equal('');
    expect(sent[0]?.attached).to.have.length(1);
  });

  it('shows why a file is rejected, and does not upload it', async () => {
    const uploadedNames: string[] = [];
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => {
        uploadedNames.push(file.name);
        return fileObjectOf(file);
      },
    });

    element.addFiles([
      fileOf('big.txt', 'text/plain', 1001),
      fileOf('manual.pdf', 'application/pdf'),
      fileOf('empty.txt', 'text/plain', 0),
      ...['1', '2', '3', '4'].map((name) => fileOf(`${name}.txt`)),
    ]);

    await user.sees('Larger than 1 kB');
    await user.sees('File type not supported');
    await user.sees('The file is empty');
    await user.sees('At most 3 files');
    expect(uploadedNames).to.deep.equal(['1.txt', '2.txt', '3.txt']);
    await expectAccessible(element);
  });

  it('does not send during an upload, or after the upload has failed', async () => {
    let fail: () => void = () => {};
    let attempts = 0;
    const upload: Upload = async (file, { onProgress }) => {
      attempts += 1;
      if (attempts > 1) return fileObjectOf(file);
      onProgress(0.5);
      await new Promise((_, reject) => {
        fail = () => reject(new InlayError('NETWORK_ERROR', 'gone'));
      });
      return fileObjectOf(file);
    };
    const { element, user, type, sent } = await setup({ attachments: policy, upload });
    await type('Look');
    element.addFiles([fileOf('notes.txt')]);
    await user.sees('50%');

    user.press('Enter');
    await user.sees('A file is still uploading');
    fail();
    await user.sees('Not uploaded');
    user.press('Enter');
    expect(sent).to.deep.equal([]);
    await expectAccessible(element);

    await user.click('Try again: notes.txt');
    await until('the file to arrive', () => user.buttons('Send')[0]?.disabled === false);
    user.press('Enter');
    expect(sent).to.have.length(1);
  });

  it('aborts the upload of a removed file', async () => {
    let signal: AbortSignal | null = null;
    const { element, user } = await setup({
      attachments: policy,
      upload: (_file, options) => {
        signal = options.signal;
        return new Promise(() => {});
      },
    });
    element.addFiles([fileOf('notes.txt')]);

    await user.click('Remove notes.txt');

    expect((signal as AbortSignal | null)?.aborted).to.equal(true);
    await user.seesNo('notes.txt');
  });

  it('attaches pasted files, and leaves pasted text to the field', async () => {
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
    });
    const paste = (data: DataTransfer) => {
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'clipboardData', { value: data });
      user.field.dispatchEvent(event);
      return event.defaultPrevented;
    };
    const picture = new DataTransfer();
    picture.items.add(fileOf('shot.png', 'image/png'));
    const text = new DataTransfer();
    text.setData('text/plain', 'Hello');

    expect(paste(picture)).to.equal(true);
    expect(paste(text)).to.equal(false);
    await user.sees('shot.png');
    await element.updateComplete;
  });

  it('leaves text to the field that was copied together with a picture of it', async () => {
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
    });
    /** Pastes a file and texts. Returns whether the file was attached instead of the text. */
    const paste = (file: File, texts: Readonly<Record<string, string>>) => {
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(texts)) data.setData(type, text);
      data.items.add(file);
      const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'clipboardData', { value: data });
      user.field.dispatchEvent(event);
      return event.defaultPrevented;
    };
    const picture = (name: string) => fileOf(name, 'image/png');

    const cells = { 'text/plain': 'a\tb', 'text/html': '<table><td>a<td>b</table>' };
    expect(paste(picture('cells.png'), cells)).to.equal(false);
    // An image that was copied in a browser, a file that was copied in Finder, and a document.
    const image = { 'text/html': '<img src="/photo">' };
    expect(paste(picture('photo.png'), image)).to.equal(true);
    expect(paste(picture('file.png'), { 'text/plain': 'file.png' })).to.equal(true);
    await user.sees('file.png');
    expect(paste(fileOf('notes.txt'), cells)).to.equal(true);

    await user.sees('notes.txt');
    await user.sees('photo.png');
    await element.updateComplete;
    expect(user.text).not.to.contain('cells.png');
  });

  it('has separate attachments for each conversation', async () => {
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
      conversationId: 'ses_1',
    });
    element.addFiles([fileOf('one.txt')]);
    await user.sees('one.txt');

    element.conversationId = 'ses_2';
    await user.seesNo('one.txt');
    element.conversationId = 'ses_1';
    await user.sees('one.txt');
    element.forget();
    await user.seesNo('one.txt');
  });

  it('keeps the attachments of a new conversation when the conversation gets its id', async () => {
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
      conversation: 'first',
    });
    element.addFiles([fileOf('next.txt')]);
    await user.sees('next.txt');

    element.conversationId = 'ses_1';
    await element.updateComplete;
    await user.sees('next.txt');

    Object.assign(element, { conversation: 'second', conversationId: '' });
    await user.seesNo('next.txt');
    element.addFiles([fileOf('draft.txt')]);
    await user.sees('draft.txt');
    Object.assign(element, { conversation: 'third', conversationId: 'ses_2' });
    await user.seesNo('draft.txt');
  });

  it('aborts uploads and removes their files when forget() is called', async () => {
    let signal: AbortSignal | null = null;
    const { element, user } = await setup({
      attachments: policy,
      upload: (_file, options) => {
        signal = options.signal;
        return new Promise(() => {});
      },
    });
    element.addFiles([fileOf('private.txt')]);
    await user.sees('private.txt');

    element.forget();

    expect((signal as AbortSignal | null)?.aborted).to.equal(true);
    await user.seesNo('private.txt');
  });

  it('announces why a file is rejected', async () => {
    const { element } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
    });
    const announced: string[] = [];
    element.addEventListener('inlay-announce', ({ detail }) => announced.push(detail.text));

    element.addFiles([fileOf('empty.txt', 'text/plain', 0)]);
    await until('the announcement', () => announced.length > 0);

    expect(announced).to.deep.equal(['empty.txt: The file is empty']);
  });

  it('shows the code points of invisible characters in a file name', async () => {
    const { element, user } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
    });

    element.addFiles([fileOf('bill\u202etxt.exe')]);

    await user.sees('bill[U+202E]txt.exe');
  });

  it('shows a preview of an image', async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 8;
    canvas.height = 8;
    canvas.getContext('2d')?.fillRect(0, 0, 8, 8);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const { element } = await setup({
      attachments: policy,
      upload: async (file) => fileObjectOf(file),
    });

    element.addFiles([new File([blob ?? ''], 'dot.png', { type: 'image/png' })]);

    await until('the picture', () =>
      deepAll<HTMLCanvasElement>(element, 'canvas').find(
        ({ hidden, width }) => !hidden && width > 8,
      ),
    );
  });
});
