import { allowOrigins } from '@inlay/elements/define';
import { showCode } from '../shared/code.ts';
import { pageTools } from '../shared/page-tools.ts';
import { platform } from '../shared/platform.ts';
import { type Company, companies } from './companies.ts';
import embed from './embed.html?raw';

allowOrigins(platform);

const themeForm = document.querySelector<HTMLFormElement>('#theme-form');
const preview = document.querySelector<HTMLElement>('#preview');
const chat = document.querySelector('inlay-chat');

/** Style sheet of the current theme. */
const sheet = document.createElement('link');
sheet.rel = 'stylesheet';

function applyTheme(company: Company) {
  sheet.href = company.url;
  if (preview) preview.dataset.company = company.id;
  for (const [id, text] of Object.entries({
    name: company.name,
    slogan: company.slogan,
    monogram: company.monogram,
    desk: company.desk,
  })) {
    document.getElementById(id)?.replaceChildren(text);
  }
  if (chat) chat.heading = company.desk;
  document.querySelector('.code')?.remove();
  showCode([
    { name: `${company.id}.css`, source: company.css },
    { name: 'page.html', source: embed.replace('bank.css', `${company.id}.css`) },
  ]);
}

function companyOption(company: Company, checked: boolean): HTMLLabelElement {
  const input = document.createElement('input');
  Object.assign(input, { type: 'radio', name: 'company', value: company.id, checked });
  const label = document.createElement('label');
  label.append(input, company.industry);
  return label;
}

function applySelectedTheme() {
  if (!themeForm || !chat || !preview) return;
  const formData = new FormData(themeForm);
  const company = companies.find(({ id }) => id === formData.get('company')) ?? companies[0];
  if (company && preview.dataset.company !== company.id) applyTheme(company);
  if (company) history.replaceState(null, '', `#${company.id}`);
  const scheme = String(formData.get('scheme'));
  preview.style.colorScheme = scheme === 'auto' ? '' : scheme;
  chat.colorScheme = scheme === 'light' || scheme === 'dark' ? scheme : 'auto';
  const density = String(formData.get('density'));
  chat.density = density === 'compact' || density === 'cosy' || density === 'roomy' ? density : '';
}

document.head.append(sheet);
const first = companies.find(({ id }) => `#${id}` === location.hash) ?? companies[0];
document
  .querySelector('#companies')
  ?.append(...companies.map((company) => companyOption(company, company === first)));
themeForm?.addEventListener('input', applySelectedTheme);
applySelectedTheme();

if (chat) chat.tools = pageTools;

// Sends messages, so that the themes style a conversation.
const questions = ['The seasons as a table, please', 'What is the weather in Lisbon?'];
chat?.addEventListener('inlay-ready', ask, { once: true });
chat?.addEventListener('inlay-answer', ask);

function ask() {
  const question = questions.shift();
  if (question) void chat?.sendMessage(question);
}
