import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';

// What docstrings of the public API show as TypeScript compiles as an author would write it: with imports from work-suite/kit.

const DOCSTRING = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//g;
const BLOCK = /```ts\n([\s\S]*?)```/g;
/** Grows with each example; an export that loses its own is noticed. */
const LEAST = 16;

/** What a module publishes, by the name under which a project imports it. */
function faceOf(file: string): [string, string[]] {
  return [`work-suite/modules/${basename(dirname(file))}`, [join(PROJECT_ROOT, file)]];
}

/** Where the examples stand, and their code. */
function examples(): { place: string; code: string }[] {
  const files = globSync(['src/kit/**/*.ts', 'src/suite/*.ts'], { cwd: PROJECT_ROOT }).filter((file) => !file.includes('spec.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
    return [...text.matchAll(DOCSTRING)].flatMap((docstring) => {
      const line = text.slice(0, docstring.index).split('\n').length;
      const plain = docstring[0].replace(/^ *\* ?/gm, '');
      return [...plain.matchAll(BLOCK)].map(([, code]) => ({ place: `${file}:${line}`, code }));
    });
  });
}

test('the examples in docstrings compile', () => {
  const found = examples();
  expect(found.length).toBeGreaterThanOrEqual(LEAST);
  // below the repository, whose packages they import
  mkdirSync(join(PROJECT_ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(PROJECT_ROOT, 'dist', 'examples-'));
  try {
    // an own file is a module of the author's
    const notes = `export class NotesModule {}\n`;
    mkdirSync(join(folder, 'src', 'modules', 'notes'), { recursive: true });
    writeFileSync(join(folder, 'src', 'modules', 'notes', 'notes.module.ts'), notes);
    found.forEach(({ place, code }, at) => writeFileSync(join(folder, `example-${at}.ts`), `// ${place}\n${code}\nexport {};\n`));
    const paths = {
      'work-suite': [join(PROJECT_ROOT, 'src', 'suite', 'index.ts')],
      'work-suite/kit': [join(PROJECT_ROOT, 'src', 'kit', 'index.ts')],
      ...Object.fromEntries(globSync('src/modules/*/*.public.ts', { cwd: PROJECT_ROOT }).map(faceOf)),
    };
    const compilerOptions = { rootDir: PROJECT_ROOT, noUnusedLocals: false, noUnusedParameters: false, paths };
    const config = { extends: join(PROJECT_ROOT, 'tsconfig.json'), compilerOptions, include: ['example-*.ts'], exclude: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(PROJECT_ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--singleThreaded'], { encoding: 'utf8', cwd: folder });
    const faults = stdout.replace(/example-(\d+)\.ts/g, (_, at: string) => found[Number(at)].place);
    expect(faults).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
