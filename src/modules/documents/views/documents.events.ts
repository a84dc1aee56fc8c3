import { defineEvents, event } from '../../../kit/index.js';
import { DocumentDto } from './documents.dto.js';

/** The permission for documents, which all of these events contain. */
const permission = 'papers.document.view';

/** Scopes of the calls that cause the event; events caused by signatures and scheduled jobs have none. */
const writing = 'papers:document:write';
const moving = 'papers:workflow:act';

const PARTY = { party: 'The party: key, name, email.' };
const OBLIGATION = { obligation: 'The obligation, as list_obligations returns it.' };

/** The object of each event is the document, as get_document returns it. */
export const DocumentEvents = defineEvents({
  created: event({ name: 'paper.created', description: 'A document was created.', permission, scope: writing, payload: DocumentDto }),
  stateChanged: event({
    name: 'paper.state_changed',
    description: 'A document moved to another state.',
    permission,
    scope: moving,
    payload: DocumentDto,
    context: { from: 'The state before.', to: 'The state now.', trigger: 'What moved it.' },
  }),
  lifecycleOverride: event({
    name: 'paper.lifecycle_override',
    description: 'A member with the permission moved a document outside its lifecycle.',
    permission,
    payload: DocumentDto,
    context: { from: 'The stage before.', to: 'The stage now.', reason: 'Why.' },
  }),
  finalized: event({
    name: 'paper.finalized',
    description: 'A document was rendered, hashed and frozen.',
    permission,
    scope: moving,
    payload: DocumentDto,
  }),
  sent: event({
    name: 'paper.sent',
    description: 'The parties were asked to sign: the mail server has taken the first request.',
    permission,
    scope: moving,
    payload: DocumentDto,
    context: { requested_by: 'Who sent it: type, id, email. actor is the system if the mail server took it after the call.' },
  }),
  signed: event({
    name: 'paper.signed',
    description: 'A party signed.',
    permission,
    payload: DocumentDto,
    context: { ...PARTY, reason: 'Always null: a signature has no reason.' },
  }),
  fullyExecuted: event({ name: 'paper.fully_executed', description: 'The last party signed.', permission, payload: DocumentDto }),
  declined: event({
    name: 'paper.declined',
    description: 'A party declined to sign.',
    permission,
    payload: DocumentDto,
    context: { ...PARTY, reason: "The party's reason." },
  }),
  expired: event({
    name: 'paper.expired',
    description: 'The signing deadline has passed, or the validity has ended.',
    permission,
    payload: DocumentDto,
    context: { reason: 'signing_deadline or validity_end.' },
  }),
  revoked: event({
    name: 'paper.revoked',
    description: 'A document was revoked.',
    permission,
    scope: moving,
    payload: DocumentDto,
    context: { reason: 'Why.' },
  }),
  superseded: event({
    name: 'paper.superseded',
    description: 'Another document replaced this one.',
    permission,
    scope: moving,
    payload: DocumentDto,
    context: { superseded_by_id: 'The replacement.' },
  }),
  commentAdded: event({
    name: 'paper.comment_added',
    description: 'A comment was added to a document.',
    permission,
    scope: writing,
    payload: DocumentDto,
    context: { comment: 'The comment, as list_document_comments returns it.' },
  }),
  obligationCreated: event({
    name: 'paper.obligation_created',
    description: 'An obligation was created from a document.',
    permission,
    payload: DocumentDto,
    context: OBLIGATION,
  }),
  obligationCompleted: event({
    name: 'paper.obligation_completed',
    description: 'An obligation was fulfilled.',
    permission,
    scope: writing,
    payload: DocumentDto,
    context: OBLIGATION,
  }),
  riskCriticalDetected: event({
    name: 'ai.risk.critical_detected',
    description: 'A document breaches a critical rule of a rule pack; emitted once per document, rule and version of the rule.',
    permission,
    payload: DocumentDto,
    context: { finding: 'The finding: id, rule_id, rule_version, jurisdiction, severity, message.' },
  }),
});
