import { moduleSettings, optionalSetting, settingTypes } from '../../../../kit/index.js';

/** The certificate that seals executed documents, and who proves the time of a seal. */
export class SealSettings extends moduleSettings({
  p12File: optionalSetting({
    variable: 'SEAL_P12_FILE',
    path: 'seal.p12File',
    type: settingTypes.readableFile('a PKCS #12 file'),
    requiredInProduction: true,
    description:
      'The RSA key and certificate that seal executed documents; outside production a self-signed one is created when first needed ' +
      'and kept in DATA_DIR.',
  }),
  p12Passphrase: optionalSetting({
    variable: 'SEAL_P12_PASSPHRASE',
    type: settingTypes.givenSecret('the passphrase of that file'),
    secret: true,
    description: 'The passphrase of SEAL_P12_FILE, if it has one.',
  }),
  timeStampUrls: optionalSetting({
    variable: 'SEAL_TIME_STAMP_URLS',
    type: settingTypes.secretUrls('time-stamp authorities'),
    secret: true,
    description:
      'Time-stamp authorities (RFC 3161) in the order in which they are asked, such as https://user:password@tsa.example.com. If set, ' +
      'seals are PAdES B-LT and documents in live mode are executed only with a time stamp; if unset, seals are PAdES B-B.',
  }),
}) {}
