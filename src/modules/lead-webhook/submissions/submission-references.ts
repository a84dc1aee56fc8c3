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
