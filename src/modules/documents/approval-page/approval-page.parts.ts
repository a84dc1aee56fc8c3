import type { DomainModuleOptions } from '../../../kit/index.js';
import { ApprovalPageController } from './approval-page.controller.js';
import { ApprovalPages } from './approval-page.service.js';

/** `approval-page/`: the page behind the link in an approver's mail, for reading the document and deciding. */
export const APPROVAL_PAGE = {
  controllers: [ApprovalPageController],
  providers: [ApprovalPages],
} satisfies Partial<DomainModuleOptions>;
