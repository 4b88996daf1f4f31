import '../../define-all.ts';
import { expectContained, mountApproval } from '../testing/containment.ts';
import { formulaAttacks } from '../testing/containment-attacks.ts';

describe('a formula in an answer', () => {
  it('neither paints nor receives clicks outside the box of the answer', async () => {
    const { showAnswer } = await mountApproval();
    for (const [name, text] of Object.entries(formulaAttacks)) {
      await expectContained(await showAnswer(text), name);
    }
  }).timeout(150_000);
});
