import '../npm/embed.ts';
import { showCode } from '../shared/code.ts';

const list = document.querySelector('#violations');
const count = document.querySelector('#count');

// `buffered` includes violations from before the observer was created.
new ReportingObserver(
  (reports) => {
    for (const { body } of reports) {
      const item = document.createElement('li');
      item.textContent = JSON.stringify(body);
      list?.append(item);
    }
    if (count) count.textContent = String(list?.childElementCount ?? 0);
  },
  { types: ['csp-violation'], buffered: true },
).observe();

const { headers } = await fetch(location.href);
const policy = headers.get('content-security-policy') ?? '';
showCode([{ name: 'Content-Security-Policy', source: policy.replaceAll('; ', ';\n') }]);
