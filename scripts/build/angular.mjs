/**
 * Builds `@inlay/elements/angular`: the elements as standalone Angular components, whose inputs Angular's
 * compiler checks. The compiled modules are in the form of Angular libraries. Runs after `tsc -b`.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { optionsOf, publicDeclarations } from '../manifest/tag-types.mjs';

const elements = fileURLToPath(new URL('../../packages/elements', import.meta.url));
const source = join(elements, 'dist/angular/angular.ts');

const manifest = JSON.parse(readFileSync(join(elements, 'custom-elements.json'), 'utf8'));
mkdirSync(dirname(source), { recursive: true });
writeFileSync(source, moduleOf(publicDeclarations(manifest)));
await compile();
rmSync(source);

function moduleOf(declarations) {
  return `import { ChangeDetectionStrategy, Component, ElementRef, inject, Input, ViewEncapsulation } from '@angular/core';
import '@inlay/elements/define';
import type { ${declarations.map(({ name }) => `${name} as ${name}Element`).join(', ')} } from '@inlay/elements';

/** Reads a boolean input: \`<inlay-chat noResume>\` sets the empty string. */
export function toBoolean(value: boolean | ''): boolean {
  return value === '' || value === true;
}

/** Sets a property of an element. */
function set<Options extends HTMLElement, Name extends keyof Options & string>(
  element: Options,
  name: Name,
  value: Options[Name],
): void {
  element[name] = value;
  // Angular also renders a literal input as an attribute, which the element would report.
  if (/[A-Z]/.test(name)) element.removeAttribute(name.toLowerCase());
}
${declarations.map(componentOf).join('')}`;
}

function componentOf(declaration) {
  const { name, tagName } = declaration;
  return `
/** \`<${tagName}>\`. Listen to its events with their DOM names: \`(inlay-error)="…"\`. */
@Component({
  selector: '${tagName}',
  template: '<ng-content />',
  changeDetection: ChangeDetectionStrategy.OnPush,
  encapsulation: ViewEncapsulation.None,
})
export class ${name} {
  /** The element, with its methods. */
  readonly element: ${name}Element = inject(ElementRef).nativeElement;
${optionsOf(declaration)
  .map(
    (option) => `
  @Input(${option.type?.text === 'boolean' ? '{ transform: toBoolean }' : ''})
  get ${option.name}(): ${name}Element['${option.name}'] {
    return this.element.${option.name};
  }
  set ${option.name}(value: ${name}Element['${option.name}']) {
    set(this.element, '${option.name}', value);
  }
`,
  )
  .join('')}}
`;
}

/** Compiles the module with Angular's compiler. Throws its errors. */
async function compile() {
  const { resolve } = createRequire(join(elements, 'package.json'));
  const load = async (name) => import(pathToFileURL(resolve(name)).href);
  const { formatDiagnostics, performCompilation } = await load('@angular/compiler-cli');
  const { default: ts } = await load('typescript');
  const { diagnostics } = performCompilation({
    rootNames: [source],
    options: {
      compilationMode: 'partial',
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ES2022,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [],
      rootDir: dirname(source),
      outDir: dirname(source),
      declaration: true,
      experimentalDecorators: true,
      strict: true,
      skipLibCheck: true,
    },
  });
  if (diagnostics.length > 0) throw new Error(formatDiagnostics(diagnostics));
}
