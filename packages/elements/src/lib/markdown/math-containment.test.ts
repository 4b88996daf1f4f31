import '../../define-all.ts';
import { expectContained, mountApproval } from '../testing/containment.ts';
import { formulaEscapes } from '../testing/escapes.ts';

describe('a formula in an answer', () => {
  it('paints and takes clicks in the box of its answer alone, whatever it says', async () => {
    const { answer } = await mountApproval();
    for (const [name, text] of Object.entries(formulaEscapes)) {
      await expectContained(await answer(text), name);
    }
  }).timeout(150_000);
});
