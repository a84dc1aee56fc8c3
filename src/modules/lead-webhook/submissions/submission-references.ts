import {
  customFieldsOf,
  mergeCustomFields,
  requirePipeline,
  requireSource,
  requireStage,
  type Lead,
  type LeadInput,
  type ProjectConfig,
} from '../../crm/crm.public.js';

/**
 * Validates the references of a submission that only counts, so that a misconfigured form fails at its first submission
 * and not at the first new person.
 */
export function requireReferences(
  config: ProjectConfig,
  lead: Lead,
  { source_id, pipeline_id, status_id, custom_fields }: LeadInput,
): void {
  requireSource(config, source_id);
  const pipelineId = pipeline_id === undefined ? lead.pipeline_id : requirePipeline(config, 'lead', pipeline_id).id;
  if (status_id !== undefined) requireStage(config, pipelineId, status_id, 'status_id');
  mergeCustomFields(customFieldsOf(config, 'lead'), custom_fields, lead.custom_fields);
}

/** Validates the references of a new lead. `open` names the fields whose values are not known yet, see `requireAcceptable`. */
export function requireCreatable(
  config: ProjectConfig,
  { source_id, pipeline_id, status_id, custom_fields }: LeadInput,
  open: readonly string[],
): void {
  requireSource(config, source_id);
  if (!open.includes('pipeline_id')) {
    const pipeline = requirePipeline(config, 'lead', pipeline_id);
    if (!open.includes('status_id')) requireStage(config, pipeline.id, status_id, 'status_id');
  }
  const isOpen = (key: string) => open.includes(`custom_fields.${key}`);
  const definitions = customFieldsOf(config, 'lead').map(({ key, type, options, required }) => ({
    key,
    type,
    options,
    required: required && !isOpen(key) && !open.includes('custom_fields'),
  }));
  const unknown = open.filter((name) => name.startsWith('custom_fields.')).map((name) => [name.slice('custom_fields.'.length), null]);
  mergeCustomFields(definitions, { ...custom_fields, ...Object.fromEntries(unknown) }, null);
}
