import { describe, expect, test } from '@jest/globals';
import { manifestOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { modulesWithout, withImports } from '../harness/module-list.js';
import { describeModules } from './fewer-modules.js';

// That no module needs one that it does not import. `removed-module.slow.ts` starts all others without each, which takes the square of
// their number.

for (const [index, module] of MODULES.entries()) {
  const { name } = manifestOf(module);
  describe(`the module ${name}`, () => {
    describeModules('works without all that it does not import', withImports(module), { index, count: MODULES.length });

    test('may be left out: at most one imports it, and the others only use it', () => {
      expect(MODULES.length - modulesWithout(name).length).toBeLessThanOrEqual(2);
    });
  });
}
