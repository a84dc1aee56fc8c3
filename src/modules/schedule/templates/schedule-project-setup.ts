import { Injectable } from '@nestjs/common';
import type { Project, ProjectSetup, Tx } from '../../../kit/index.js';
import { EventTemplate } from '../model/setup/event-template.entity.js';

/** Creates the default event template of a new project. */
@Injectable()
export class ScheduleProjectSetup implements ProjectSetup {
  async setUpProject(tx: Tx, { id: project_id }: Project): Promise<void> {
    await tx.insert(EventTemplate, {
      project_id,
      name: 'Standard',
      is_default: true,
      core: { title: 'required', location: 'optional', description: 'optional' },
      metadata_schema: { type: 'object', properties: {} },
    });
  }
}
