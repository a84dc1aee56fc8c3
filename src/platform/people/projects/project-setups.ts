import type { ProjectSetup } from '../../../kit/index.js';

/** Injects `ProjectSetup[]`: what every module does for a new project, in the order of the modules. */
export const PROJECT_SETUPS = Symbol('project setups');

export type ProjectSetups = readonly ProjectSetup[];
