import { CommonErrors } from '../../kit/index.js';
import type { CrmConfig, Lead, LeadInput } from '../crm/crm.public.js';

type ProjectConfig = Awaited<ReturnType<CrmConfig['of']>>;

/**
 * What a submission names must exist even where it only counts, so that a form's mistake shows at its first submission
 * and not at the first new person.
 */
export function requireKnown(config: ProjectConfig, lead: Lead, { source_id, pipeline_id, status_id, custom_fields }: LeadInput): void {
  const pipelines = config.pipelines.filter(({ kind }) => kind === 'lead');
  requireOne('source_id', source_id, config.sources, 'be a source of the project');
  requireOne('pipeline_id', pipeline_id, pipelines, 'be a lead pipeline of the project');
  requireOne('status_id', status_id, config.stages.filter((stage) => stage.pipeline_id === (pipeline_id ?? lead.pipeline_id)), `belong to the pipeline ${pipeline_id ?? lead.pipeline_id}`);
  const defined = config.customFields.filter(({ resource }) => resource === 'lead').map(({ key }) => key);
  const unknown = Object.keys(custom_fields ?? {}).find((key) => !defined.includes(key));
  if (unknown !== undefined) throw CommonErrors.validationFailed({ param: `custom_fields.${unknown}`, message: `unknown custom field: ${unknown}`, ...(defined.length <= 50 ? { allowed: defined } : {}) });
}

function requireOne(param: string, id: string | null | undefined, items: readonly { id: string; name: string }[], words: string): void {
  if (id === undefined || id === null || items.some((item) => item.id === id)) return;
  throw CommonErrors.validationFailed({ param, message: `${param} must ${words}: ${items.map((item) => `${item.name} is ${item.id}`).join(', ')}`, allowed: items.map((item) => item.id) });
}
