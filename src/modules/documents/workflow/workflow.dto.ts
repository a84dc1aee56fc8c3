import { Field } from '../../../kit/index.js';

/** The body of a workflow action. Validation accepts any text: an invalid action or address has error codes of its own. */
export class WorkflowActionDto {
  @Field.string({
    description: 'APPROVE, REJECT or RETURN decides on behalf of approver_email; TRANSITION makes the move of lifecycle_action.',
    example: 'APPROVE',
    minLength: 0,
    maxLength: 10_000,
  })
  action: string;

  @Field.string({
    description: 'The reason; becomes a comment. Required to revoke, and if the type requires a comment with each decision.',
    example: 'Fine with the new price.',
    maxLength: 4_000,
    required: false,
    nullable: true,
  })
  comments?: string | null;

  @Field.string({
    description:
      'E-mail address of the member on whose behalf you act. Always required. To decide, an approver of the current step, from ' +
      'list_pending_approvals; for TRANSITION, a member with the permission papers.document.manage.',
    example: 'ada@example.com',
    minLength: 0,
    maxLength: 10_000,
    required: false,
    nullable: true,
  })
  approver_email?: string | null;

  @Field.string({
    description:
      "Code of a transition of the type's lifecycle. Required for TRANSITION (in the standard lifecycle finalize, send, revoke, recall " +
      'or supersede), otherwise only if several transitions match.',
    example: 'approve',
    maxLength: 63,
    required: false,
    nullable: true,
  })
  lifecycle_action?: string | null;
}
