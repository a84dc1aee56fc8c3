import type { ProjectSetup } from '../../../kit/index.js';

/** Injects `ProjectSetup[]`: the setup of a new project by each module, in the order of the modules. */
export const PROJECT_SETUPS = Symbol('project setups');

export type ProjectSetups = readonly ProjectSetup[];
