import type { DomainModuleOptions } from '../../../kit/index.js';
import { Declining } from './ceremony/declining.service.js';
import { Delegating } from './ceremony/delegating.service.js';
import { SealFailures } from './ceremony/seal-failures.service.js';
import { EnteredTexts } from './ceremony/entered-texts.service.js';
import { SigningLinks } from './ceremony/signing-links.service.js';
import { SigningController } from './ceremony/signing.controller.js';
import { Signing } from './ceremony/signing.service.js';
import { Execution } from './execution/execution.service.js';
import { LongTermSeal } from './execution/long-term-seal.js';
import { CancelOpenParties } from './parties/cancel-open-parties.js';
import { FollowInvitations } from './parties/follow-invitations.scheduled-job.js';
import { PartyChanges } from './parties/changing.service.js';
import { Invitations } from './parties/invitations.service.js';
import { NotifyRevoked } from './parties/notify-revoked.js';
import { OrgPartiesController } from './parties/org-parties.controller.js';
import { OrgParties } from './parties/org-parties.service.js';
import { RemindParties } from './parties/remind-parties.scheduled-job.js';
import { EmbeddedSigningController } from './parties/signing-links.controller.js';
import { SendingService } from './parties/sending.service.js';

/**
 * - `parties/`: invites the parties in the signing order.
 * - `ceremony/`: the page on which a party signs or declines.
 * - `execution/`: the evidence of each signature and the sealed file.
 */
export const SIGNING = {
  controllers: [SigningController, OrgPartiesController, EmbeddedSigningController],
  providers: [
    SendingService,
    Signing,
    EnteredTexts,
    SigningLinks,
    Invitations,
    Execution,
    SealFailures,
    LongTermSeal,
    Declining,
    Delegating,
    PartyChanges,
    OrgParties,
    CancelOpenParties,
    NotifyRevoked,
  ],
  scheduledJobs: [FollowInvitations, RemindParties],
} satisfies Partial<DomainModuleOptions>;
