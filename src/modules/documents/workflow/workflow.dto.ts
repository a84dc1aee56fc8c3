import { Field } from '../../../kit/index.js';

/** The body of a workflow action. What is no action or no address has errors of its own, so any text gets as far as those. */
export class WorkflowActionDto {
  @Field.string({
    description: 'APPROVE, REJECT or RETURN decides in the name of approver_email; TRANSITION makes the move that lifecycle_action names.',
    example: 'APPROVE',
    minLength: 0,
    maxLength: 10_000,
  })
  action: string;

  @Field.string({
    description: 'The reason; becomes a comment. Needed to revoke, and where the type asks for a reason with each decision.',
    example: 'Fine with the new price.',
    maxLength: 4_000,
    required: false,
    nullable: true,
  })
  comments?: string | null;

  @Field.string({
    description:
      'E-mail address of the member in whose name it is done. To decide, an approver of the current step, from list_pending_approvals; for TRANSITION a member with the permission papers.document.manage. Always needed.',
    example: 'ada@example.com',
    minLength: 0,
    maxLength: 10_000,
    required: false,
    nullable: true,
  })
  approver_email?: string | null;

  @Field.string({
    description:
      "Code of a transition of the type's lifecycle. Needed for TRANSITION (in the standard lifecycle finalize, send, revoke, recall or supersede), else only where several transitions would fit.",
    example: 'approve',
    maxLength: 63,
    required: false,
    nullable: true,
  })
  lifecycle_action?: string | null;
}
