import type { Type } from '@nestjs/common';
import { manifestOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { startableModules } from '../../src/platform/registry/startable-modules.js';
import { loadSuite } from '../../src/suite/load-suite.js';
import { loadModules } from '../../src/suite/suite-modules.js';

/** The product's modules without one, and without those that import it: they cannot work without it. */
export function modulesWithout(name: string): readonly Type[] {
  const others = MODULES.filter((module) => manifestOf(module).name !== name);
  if (others.length === MODULES.length) throw new Error(`There is no module ${name}.`);
  return startableModules(others).modules;
}

/** A module with those that it cannot work without. */
export function withImports(module: Type): readonly Type[] {
  const needed = new Set<unknown>();
  const need = (one: unknown) => {
    if (!MODULES.includes(one as Type) || needed.has(one)) return;
    needed.add(one);
    for (const other of manifestOf(one as Type).imports ?? []) need(other);
  };
  need(module);
  return MODULES.filter((one) => needed.has(one));
}

/** The modules of this run: those of suite.config.ts, without the one that TEST_WITHOUT_MODULE names. */
export async function modulesOfRun(): Promise<readonly Type[]> {
  const { TEST_WITHOUT_MODULE: name } = process.env;
  return name ? modulesWithout(name) : startableModules((await loadModules(await loadSuite())).modules).modules;
}
