import { Injectable } from '@nestjs/common';
import type { Project, ProjectSetup, Tx } from '../../../kit/index.js';
import { DeskQueue } from '../model/queue.entity.js';
import { DeskSettings } from '../model/settings.entity.js';
import { DeskStatus } from '../model/status.entity.js';
import type { StatusCategory } from '../model/values.js';

const STATUSES: readonly (readonly [name: string, category: StatusCategory])[] = [
  ['New', 'new'],
  ['Open', 'open'],
  ['Pending', 'pending'],
  ['On hold', 'on_hold'],
  ['Solved', 'solved'],
  ['Closed', 'closed'],
];

/** Creates the statuses, the queue and the settings of a new project. */
@Injectable()
export class DeskProjectSetup implements ProjectSetup {
  async setUpProject(tx: Tx, { id: project_id }: Project): Promise<void> {
    await tx.insert(DeskSettings, { project_id });
    await tx.insert(DeskQueue, { project_id, name: 'Support', is_default: true, position: 1 });
    for (const [index, [name, category]] of STATUSES.entries())
      await tx.insert(DeskStatus, { project_id, name, category, is_default: true, position: index + 1 });
  }
}
