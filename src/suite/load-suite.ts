import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { ConfigError } from '../kit/index.js';
import { sourceOf } from '../kit/internal.js';
import { PACKAGE_ROOT, PROJECT_ROOT } from '../platform/config/project-root.js';
import type { Suite } from './define-suite.js';

const FILE = 'suite.config.ts';
const COMPILED = join(PROJECT_ROOT, 'dist', 'suite.config.js');
const COMPILED_FILE = /'?([^\s']+[\\/]dist[\\/][^\s']+\.js)'?/g;

/**
 * The suite of the project's suite.config.ts, as it was last compiled.
 * @throws ConfigError naming the file and the mend
 */
export async function loadSuite(): Promise<Suite> {
  if (!existsSync(COMPILED)) throw new ConfigError(withoutConfig());
  return evaluateSuite(COMPILED);
}

/** The suite that a compiled suite.config.ts exports. */
export async function evaluateSuite(file: string): Promise<Suite> {
  const { default: suite } = await evaluated(file);
  if (suite === undefined) throw new ConfigError(`${FILE} has no default export: write "export default defineSuite({ modules: [...] })".`);
  if (!isSuite(suite)) throw new ConfigError(`${FILE} exports something else than a suite: write "export default defineSuite({ ... })".`);
  return suite;
}

async function evaluated(file: string): Promise<{ default?: unknown }> {
  try {
    // the project's files are not in the bundle, whose last file would seem to define what they define
    delete (globalThis as { evaluatedFile?: string }).evaluatedFile;
    const { default: suite } = (await import(pathToFileURL(file).href)) as { default?: unknown };
    return { default: await suite };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${FILE} cannot be loaded: ${reasonOf(error)}.`, { cause: error });
  }
}

function withoutConfig(): string {
  return existsSync(join(PROJECT_ROOT, FILE))
    ? `${join(PROJECT_ROOT, FILE)} is not compiled: run "npx work-suite build".`
    : `There is no ${FILE} in ${process.cwd()} or above it: run the command in a project, or write one with "npx work-suite new <folder>".`;
}

/** Its message, where in the project it was thrown, and the mend. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error))
    return `it throws ${typeof error === 'string' ? error : inspect(error, { breakLength: Infinity })}; correct it, or what it imports`;
  const places = (error.stack?.slice(error.message.length) ?? '').matchAll(/\(?(?:file:\/\/)?([^\s()]+\.ts:\d+)/g);
  const at = [...places].map(([, place = '']) => place).find((place) => !place.startsWith(join(PACKAGE_ROOT, 'src', 'suite')));
  const [line = ''] = error.message.replaceAll(COMPILED_FILE, (_, file: string) => sourceOf(file)).split('\n');
  const cyclic = /^Cannot access '(\w+)' before initialization$/.exec(line)?.[1];
  if (cyclic !== undefined)
    return `${at ?? 'a file'} uses ${cyclic} before it is defined; if two modules import each other, let only one of them import the other`;
  return `${line.replace(/\.$/, '')}${at === undefined ? '' : ` (${at})`}; correct it, or what it imports`;
}

function isSuite(value: unknown): value is Suite {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<Suite>).modules);
}
