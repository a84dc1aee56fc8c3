export const MASK = '[masked]';

/** No token begins inside of another word, so that a long text is read once. */
const START = '(?<![\\w-])';

/** What begins like this is a credential, whoever issued it. A key of ours is masked whatever its checksum: it may be mistyped. */
const TOKENS = [
  'svc_(?:live|test|whsec)_[\\w-]{8,}',
  '[sr]k_(?:live|test)_\\w{8,}', // Stripe
  'whsec_[\\w+/-]{8,}', // Stripe, Standard Webhooks
  'gh[opsur]_\\w{16,}', // GitHub
  'github_pat_\\w{16,}',
  'gl[a-z]{2,6}-[\\w-]{16,}', // GitLab
  'xox[a-z]-[\\w-]{8,}', // Slack
  'xapp-[\\w-]{8,}',
  '(?:AKIA|ASIA|AIDA|AROA)[A-Z0-9]{16}', // AWS
  'AIza[\\w-]{30,}', // Google
  'ya29\\.[\\w-]{16,}',
  'GOCSPX-[\\w-]{16,}',
  'sk-[\\w-]{16,}', // OpenAI, Anthropic
  'SG\\.[\\w-]{16,}', // SendGrid
  '(?:npm|pypi|hf|dop_v1|shp[a-z]{2})[_-]\\w{16,}',
  '[0-9a-f]{32}-us\\d{1,2}', // Mailchimp
  '\\d{8,10}:[\\w-]{35}', // Telegram
  'eyJ[\\w-]{8,}(?:\\.[\\w-]*){1,4}', // JSON web tokens
];

const SECRETS = new RegExp(
  [
    // to its end, or that of a truncated text
    '-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)',
    'hooks\\.slack\\.com/[\\w/-]+',
    `${START}(?:${TOKENS.join('|')})`,
  ].join('|'),
  'g',
);
/** The credentials of an Authorization header; words such as "Basic settings" are none. */
const AUTHORIZATION = /\b(Bearer|Basic|Token) +(?=[^\s"']*[\d=])[\w.~+/=-]{8,}/gi;
/** `https://user:password@host`. */
const USER_INFO = /:\/\/[^\s/:@]*:[^\s/@]+@/g;
/** `password=...` and `"token": "..."`, in addresses, commands and quoted JSON. */
const NAMED = new RegExp(
  `((?:pass(?:word|code|wd|wort)|pwd|secret|token|(?:api|access)[_-]?key|authorization)` +
    String.raw`\\?["']?\s{0,3}[=:]\s{0,3}\\?["']?)(?!\[masked\])[^\s"'&,;\\]+`,
  'gi',
);
/** Random text: upper and lower case with digits, such as the tokens of our links. */
const RANDOM = /[\w-]{32,}/g;
const RANDOM_BASE64 = /(?<![\w/+-])[A-Za-z0-9/+]{40}(?![\w/+=-])/g;

/** The bound keeps the time linear in the length of a text without an address. */
const EMAIL = /[^\s@<>"'(),;:]{1,64}(?:@|%40)[^\s@<>"'(),;:]+/gi;
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)/g;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const DATE = '\\d{4}-\\d\\d-\\d\\d(?!\\d)(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?';
const OTHER_DATE = '\\d{1,2}([./])\\d{1,2}\\1\\d{4}(?!\\d)';
/** What people and programs put between digits: also marks that set the direction of a copied number. */
const BETWEEN = "[\\s()\\[\\]./\\\\'\\u00ad\\u00b7\\u200b-\\u2015\\u202a-\\u202e\\u2060-\\u2069\\u2212\\ufeff\\uff08\\uff09\\uff0d_-]{0,4}";
/** Takes a whole run of digits at a time, so that the time is linear. */
const DIGITS = new RegExp(`(?<!\\p{Nd})(?:${UUID}|${DATE}|${OTHER_DATE})|[+\\uff0b]?\\p{Nd}(?:${BETWEEN}\\p{Nd})*`, 'giu');
const IS_NO_NUMBER = new RegExp(`^(?:${UUID}|${DATE}|${OTHER_DATE})$`, 'i');
const FEWEST_DIGITS = 7;

/** A text without credentials, e-mail addresses, account and phone numbers. */
export function maskText(text: string): string {
  return maskNumbers(maskSecrets(text).replace(IBAN, MASK));
}

function maskSecrets(text: string): string {
  return text
    .replace(SECRETS, MASK)
    .replace(AUTHORIZATION, `$1 ${MASK}`)
    .replace(USER_INFO, `://${MASK}@`)
    .replace(EMAIL, MASK)
    .replace(NAMED, `$1${MASK}`)
    .replace(RANDOM, (run) => (isRandom(run) ? MASK : run))
    .replace(RANDOM_BASE64, (run) => (isRandom(run) ? MASK : run));
}

function isRandom(run: string): boolean {
  return /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run);
}

/** Masks phone numbers in any spelling, and all else that consists of so many digits; not dates, times, IP addresses and parts of ids. */
function maskNumbers(text: string): string {
  return text.replace(DIGITS, (run, ...rest) => {
    const at = rest.find((part) => typeof part === 'number') as number;
    if ((run.match(/\p{Nd}/gu) ?? []).length < FEWEST_DIGITS || IS_NO_NUMBER.test(run) || isIpAddress(run)) return run;
    // the number of a document, such as INV-2026-00017
    if (text[at - 1] === '-' && !isWordEnd(text, at - 2)) return run;
    return isWordEnd(text, at - 1) && isWordEnd(text, at + run.length) ? MASK : run;
  });
}

function isWordEnd(text: string, at: number): boolean {
  return !/[\p{L}\p{Nd}_]/u.test(text.charAt(at));
}

function isIpAddress(run: string): boolean {
  const parts = run.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}
