import { manifestOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';
import { modulesWithout } from '../harness/module-list.js';
import { describeModules } from './fewer-modules.js';

for (const { name } of MODULES.map(manifestOf)) describeModules(`the product without the module ${name}`, modulesWithout(name));
