import { requirePipeline, requireSource, requireStage, type Lead, type LeadInput, type ProjectConfig } from '../../crm/crm.public.js';

/**
 * Validates the references of a submission that only counts, so that a misconfigured form fails at its first submission
 * and not at the first new person.
 */
export function requireReferences(config: ProjectConfig, lead: Lead, { source_id, pipeline_id, status_id }: LeadInput): void {
  requireSource(config, source_id);
  const pipelineId = pipeline_id === undefined ? lead.pipeline_id : requirePipeline(config, 'lead', pipeline_id).id;
  if (status_id !== undefined) requireStage(config, pipelineId, status_id, 'status_id');
}

/** Validates the references of a new lead. `open` names the fields whose values are not known yet, see `requireAcceptable`. */
export function requireCreatable(config: ProjectConfig, { source_id, pipeline_id, status_id }: LeadInput, open: readonly string[]): void {
  requireSource(config, source_id);
  if (!open.includes('pipeline_id')) {
    const pipeline = requirePipeline(config, 'lead', pipeline_id);
    if (!open.includes('status_id')) requireStage(config, pipeline.id, status_id, 'status_id');
  }
}
