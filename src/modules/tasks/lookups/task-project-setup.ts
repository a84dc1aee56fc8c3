import { Injectable } from '@nestjs/common';
import { DomainError, type Project, type ProjectSetup, type Tx } from '../../../kit/index.js';
import { TaskLabel } from './task-label.entity.js';
import { TaskStatus } from './task-status.entity.js';
import { DEFAULT_STATUSES } from './task-status.js';

/** The labels an organisation starts with; they serve all its projects. */
const DEFAULT_LABELS = [
  { name: 'Bug', color: '#d73a4a' },
  { name: 'Feature', color: '#1f883d' },
  { name: 'Improvement', color: '#0969da' },
  { name: 'Documentation', color: '#8250df' },
  { name: 'Blocked', color: '#9a6700' },
];

/** Gives a new project its statuses, and the organisation's first project the labels. */
@Injectable()
export class TaskProjectSetup implements ProjectSetup {
  async setUpProject(tx: Tx, project: Project): Promise<void> {
    for (const [index, status] of DEFAULT_STATUSES.entries())
      await tx.insert(TaskStatus, { ...status, project_id: project.id, position: index + 1 });
    if ((await tx.list(TaskLabel, { project_id: null })).length > 0) return;
    for (const label of DEFAULT_LABELS) await tx.attempt(() => tx.insert(TaskLabel, label)).catch(ignoreDuplicate);
  }
}

/** Another project was made at the same moment and brought the label along. */
function ignoreDuplicate(error: unknown): void {
  if (!(error instanceof DomainError) || error.spec.code !== 'duplicate') throw error;
}
