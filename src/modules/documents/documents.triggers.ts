import type { EventTriggers, TriggerStep } from '../../kit/index.js';

const CREATE: readonly TriggerStep[] = [
  { call: 'list_document_types', as: 'types' },
  { call: 'create_document', body: { type_code: '{types.data.0.code}', title: 'Triggered {unique}' }, as: 'document' },
];
const params = { id: '{document.id}' };

/** How `work-suite trigger` causes events of documents: those of drafts, which documents of every type can have. */
export const DOCUMENT_TRIGGERS: EventTriggers = {
  'paper.created': CREATE,
  'paper.comment_added': [...CREATE, { call: 'create_document_comment', params, body: { body: 'Triggered {unique}' } }],
};
