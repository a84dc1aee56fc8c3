import type { Type } from '@nestjs/common';
import { isDomainModule, manifestOf } from '../../kit/internal.js';

export interface StartableModules {
  modules: readonly Type[];
  /** Why the others are left out, for the log. */
  leftOut: readonly string[];
}

/** The modules of a list that can start: without those that import one which is not in the list, and those that import these. */
export function startableModules(listed: readonly Type[]): StartableModules {
  const leftOut: string[] = [];
  let modules = listed;
  for (let size = -1; size !== modules.length;) {
    size = modules.length;
    const present = new Set<unknown>(modules);
    modules = modules.filter((module) => {
      const { name, imports = [] } = manifestOf(module);
      const missing = imports.find((other) => isDomainModule(other as Type) && !present.has(other)) as Type | undefined;
      if (missing) leftOut.push(`The module ${name} is left out, because it imports ${manifestOf(missing).name}, which has no line.`);
      return !missing;
    });
  }
  return { modules, leftOut };
}
