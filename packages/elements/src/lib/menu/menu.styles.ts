import { css } from 'lit';
import { token } from '../theme/tokens.ts';

export const styles = css`
  :host {
    inline-size: max-content;
    max-inline-size: min(320px, 100cqi - 2 * ${token('space-4')});
  }

  .button.danger {
    border-color: ${token('color-danger')};
  }

  .question {
    padding: ${token('space-3')};
  }

  h3 {
    margin: 0;
    font-size: inherit;
    font-weight: ${token('font-weight-strong')};
  }

  p {
    margin: ${token('space-1')} 0 ${token('space-4')};
    color: ${token('color-text-muted')};
    font-size: ${token('font-size-small')};
  }

  .retention {
    /* The text does not make the menu wider. */
    inline-size: 0;
    min-inline-size: 100%;
    box-sizing: border-box;
    margin: ${token('space-1')} 0 0;
    padding: ${token('space-2')} ${token('space-3')};
    border-block-start: 1px solid ${token('color-border')};
  }

  .choices {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: ${token('space-2')};
  }
`;
