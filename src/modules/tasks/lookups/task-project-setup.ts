import { Injectable } from '@nestjs/common';
import { DomainError, type Project, type ProjectSetup, type Tx } from '../../../kit/index.js';
import { TaskLabel } from './task-label.entity.js';
import { TaskStatus } from './task-status.entity.js';
import { DEFAULT_STATUSES } from './task-status.js';

/** The labels of a new organization, shared by all its projects. */
const DEFAULT_LABELS = [
  { name: 'Bug', color: '#d73a4a' },
  { name: 'Feature', color: '#1f883d' },
  { name: 'Improvement', color: '#0969da' },
  { name: 'Documentation', color: '#8250df' },
  { name: 'Blocked', color: '#9a6700' },
];

/** Creates the default statuses of a new project and, with an organization's first project, its default labels. */
@Injectable()
export class TaskProjectSetup implements ProjectSetup {
  async setUpProject(tx: Tx, project: Project): Promise<void> {
    for (const [index, status] of DEFAULT_STATUSES.entries())
      await tx.insert(TaskStatus, { ...status, project_id: project.id, position: index + 1 });
    if ((await tx.list(TaskLabel, { project_id: null })).length > 0) return;
    for (const label of DEFAULT_LABELS) await tx.attempt(() => tx.insert(TaskLabel, label)).catch(ignoreDuplicate);
  }
}

/** A project that was created concurrently may have added the label already. */
function ignoreDuplicate(error: unknown): void {
  if (!(error instanceof DomainError) || error.spec.code !== 'duplicate') throw error;
}
