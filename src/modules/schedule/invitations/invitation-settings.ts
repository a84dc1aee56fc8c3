import { moduleSettings, setting, settingTypes } from '../../../kit/index.js';

export class InvitationSettings extends moduleSettings({
  mailsPerDay: setting({
    variable: 'INVITATION_MAILS_PER_DAY',
    path: 'mail.invitationsPerDay',
    type: settingTypes.wholeNumber(1, 1_000_000_000),
    default: 2_000,
    description:
      'Invitations and changes of events that one organization may mail on one day (UTC). Mails about canceled dates have a separate ' +
      'limit of the same size.',
  }),
}) {}
