import type { Type } from '@nestjs/common';
import { TasksModule } from './modules/tasks/tasks.module.js';

/** THE list: every domain module, one line each. */
export const MODULES: readonly Type[] = [TasksModule];
