import type { Type } from '@nestjs/common';
import { ConfigError } from '../kit/index.js';

const FILE = 'suite.config.ts';

/** Settings by the keys of `config/default.yaml`, for example `{ http: { port: 8080 } }`. */
export interface SuiteSettings {
  readonly [key: string]: string | number | boolean | null | readonly unknown[] | SuiteSettings;
}

/** Modules of the suite itself, by what is left out. */
export class BuiltInModules {
  constructor(readonly without: readonly string[]) {}
}

/** A module's class, the name of an installed package whose default export is one, or what `builtIn` returns. */
export type SuiteModule = Type | string | BuiltInModules;

export interface SuiteOptions {
  /** The domain modules that run, in the order in which the console and the docs show them. */
  readonly modules: readonly SuiteModule[];
  /** Values of settings, which the files in `config/` and environment variables override. */
  readonly settings?: SuiteSettings;
}

/** What `suite.config.ts` exports. */
export type Suite = Readonly<Required<SuiteOptions>>;

/**
 * Says which modules a suite has, and their settings. `suite.config.ts` exports it as its default:
 *
 * ```ts
 * import { builtIn, defineSuite } from 'work-suite';
 * import { NotesModule } from './src/modules/notes/notes.module.js';
 *
 * export default defineSuite({ modules: [...builtIn({ without: ['hr'] }), NotesModule, '@acme/suite-fleet'] });
 * ```
 */
export function defineSuite({ modules, settings = {}, ...others }: SuiteOptions): Suite {
  // what the compiler would find, which a start does not wait for
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new ConfigError(`${FILE} gives defineSuite the key ${unknown}, but it takes only modules and settings.`);
  if (!Array.isArray(modules))
    throw new ConfigError(`${FILE} gives defineSuite no list of modules: write "defineSuite({ modules: [...builtIn()] })".`);
  return Object.freeze({ modules: Object.freeze([...modules]), settings });
}

/** The modules that the suite comes with; `without` names those that are left out. */
export function builtIn({ without = [] }: { without?: readonly string[] } = {}): readonly SuiteModule[] {
  if (!Array.isArray(without)) throw new ConfigError(`${FILE} gives builtIn no list in without: write "builtIn({ without: ['hr'] })".`);
  return [new BuiltInModules(without)];
}
