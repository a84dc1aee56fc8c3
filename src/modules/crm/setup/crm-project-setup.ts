import { Injectable } from '@nestjs/common';
import type { Project, ProjectSetup, Tx } from '../../../kit/index.js';
import { CrmPipeline } from '../pipelines/crm-pipeline.entity.js';
import { CrmSettings } from '../config/crm-settings.entity.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import { LeadSource } from '../config/lead-source.entity.js';
import { DEFAULT_SOURCES, DEFAULT_STAGES, PIPELINE_KINDS } from '../pipelines/stage-kind.js';

const PIPELINE_NAMES = { lead: 'Leads', deal: 'Sales' };

/** Creates the pipelines, lead sources and settings of a new project. */
@Injectable()
export class CrmProjectSetup implements ProjectSetup {
  async setUpProject(tx: Tx, { id: project_id }: Project): Promise<void> {
    await tx.insert(CrmSettings, { project_id, default_country: null });
    for (const kind of PIPELINE_KINDS) {
      const pipeline = await tx.insert(CrmPipeline, { project_id, kind, name: PIPELINE_NAMES[kind], is_default: true });
      for (const [index, stage] of DEFAULT_STAGES[kind].entries())
        await tx.insert(CrmStage, { ...stage, project_id, pipeline_id: pipeline.id, pipeline_kind: kind, position: index + 1 });
    }
    for (const name of DEFAULT_SOURCES) await tx.insert(LeadSource, { project_id, name });
  }
}
