import { moduleSettings, setting, settingTypes } from '../../../../../kit/index.js';

/** What mails about completed documents carry. */
export class CopySettings extends moduleSettings({
  mostMib: setting({
    variable: 'SIGNED_PDF_MAIL_MIB',
    path: 'documents.signedPdfMailMib',
    type: settingTypes.wholeNumber(0, 25),
    default: 5,
    description: 'The largest signed PDF that mails carry, in MiB; mails about larger ones have only a link. 0 for links only.',
  }),
}) {}
