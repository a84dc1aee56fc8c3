export const MASK = '[masked]';

/** No token begins inside of another word, so that a long text is read once. */
const START = '(?<![\\w-])';

/** What begins like this is a credential, whoever issued it. A key of ours is masked whatever its checksum: it may be mistyped. */
const TOKENS = [
  '(?:svc|SVC)_(?:live|test|whsec|LIVE|TEST|WHSEC)_[\\w-]{8,}',
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
  'SG\\.[\\w-]{16,}(?:\\.[\\w-]+)?', // SendGrid
  '(?:npm|pypi|hf|r8|gsk|xai)[_-]\\w{16,}',
  'shp[a-z]{2}_\\w{8,}', // Shopify
  'do[opr]_v1_\\w{8,}', // DigitalOcean
  'dckr_[op]at_[\\w-]{8,}', // Docker
  'hv[sbr]\\.[\\w-]{8,}', // Vault
  'pat-[a-z]{2,3}\\d-[\\w-]{8,}', // HubSpot
  'sq0[a-z]{3}-[\\w-]{8,}', // Square
  'EAA[\\w-]{16,}', // Square, Facebook
  'ntn_\\w{8,}', // Notion
  'secret_(?=\\w{0,64}\\d)\\w{16,}',
  'SK[0-9a-f]{32}', // Twilio
  'lin_(?:api|oauth)_\\w{8,}', // Linear
  'AT[AC]TT3[\\w-]{16,}', // Atlassian
  'fig[dor]_[\\w-]{16,}', // Figma
  'pat\\w{14}\\.[0-9a-f]{32,}', // Airtable
  'dapi[0-9a-f]{32}', // Databricks
  'sntry[su]_[\\w+/=-]{16,}', // Sentry
  'dp\\.[a-z]{2,5}\\.\\w{16,}', // Doppler
  '(?:NRAK|PMAK)-[\\w-]{16,}', // New Relic, Postman
  '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}', // Discord
  '[0-9a-f]{32}-us\\d{1,2}', // Mailchimp
  '\\d{8,10}:[\\w-]{35}', // Telegram
  '(?:access|refresh|secret|token|api|auth|key|HRKU)(?:-[a-z]{2,16}){0,2}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', // Plaid, Heroku
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
/** `password=...` and `"token": "..."`, in addresses, commands and quoted JSON; `sig=` in signed addresses. */
const NAMED = new RegExp(
  `((?:pass(?:word|code|phrase|wd|wort)|kennwort|pwd|secret|token|authorization|(?<=[?&;])sig(?:nature)?(?==)|` +
    `(?:api|access|account|client|encryption|master|private|signing)[_-]?key)` +
    String.raw`\\?["']?\s{0,3}[=:]\s{0,3}\\?["']?)(?!\[masked\])[^\s"'&,;\\]+`,
  'gi',
);
/** What follows "password is" in an error or a question. */
const NO_SECRET =
  '(?:too|required|invalid|incorrect|wrong|not|missing|empty|blank|weak|expired|optional|mandatory|set|unset|unchanged|case-sensitive|' +
  'zu|erforderlich|ungültig|falsch|nicht|leer|abgelaufen|trop|requis|incorrecte?|invalide|incorrecta|obligatorio)';
/** `password is ...`, `PIN: 1234`. */
const SPOKEN = new RegExp(
  '(?<![\\p{L}\\p{N}])((?:pass(?:word|code|phrase|wort)|kennwort|pwd|pin|otp|cvc|cvv)' +
    '\\s{1,3}(?:is|was|ist|war|lautet|est|es)\\s{1,3})' +
    `(?!${NO_SECRET}[.!?:)"']{0,3}(?:[\\s,;]|$))[^\\s,;]+`,
  'giu',
);
const SPOKEN_DIGITS = /(?<![\p{L}\p{N}])((?:pin|otp|cvc|cvv)(?:[ _-]?code)?[\s:=#]{1,3})\d{3,8}(?!\w)/giu;
/** Random text: upper and lower case with digits, such as the tokens of our links. */
const RANDOM = /[\w-]{32,}/g;
/** A key in digits of base 16, 32 or 36. A request id is none. */
const DIGITS_AND_LETTERS = /(?<![A-Za-z0-9])(?<!(?<!\w)req_)[A-Za-z0-9]{32,}/g;
/** Different ones, in a key. */
const FEWEST_HEX_DIGITS = 5;
const RANDOM_BASE64 = /(?<![\w/+-])[A-Za-z0-9/+]{40}(?![\w/+=-])/g;

/** The bound keeps the time linear in the length of a text without an address. */
const EMAIL = /[^\s@<>"'(),;:]{1,64}(?:@|%40)[^\s@<>"'(),;:]+/gi;
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)/g;

/** A toll-free number spelt in letters, such as 1-800-FLOWERS. */
const VANITY = new RegExp(
  '(?<![\\w-])(?:\\+?1[-. ]?\\(?[89]\\d\\d\\)?|\\(?0[89]00\\)?|8(?:00|33|44|55|66|77|88)(?=-))' +
    '[-. /]{1,2}(?=[A-Z\\d-]{0,12}[A-Z])[A-Z\\d-]{6,12}(?!\\w)',
  'g',
);

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const REQUEST_ID = 'req_[0-9a-f]{32}(?!\\w)';
const DATE = '\\d{4}-\\d\\d-\\d\\d(?!\\d)(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?';
const COMPACT_DATE = '(?:19|20)\\d\\d[01]\\d[0-3]\\dT[0-2]\\d[0-5]\\d{3}Z?(?!\\w)';
const OTHER_DATE = '\\d{1,2}([./])\\d{1,2}\\1\\d{4}(?!\\d)';
/** `1,234,567.89`, `12.345,67` and `12345,67`; not the beginning of a longer number. */
const AMOUNT =
  '[1-9](?:\\d{0,2}(?:,\\d{3})+(?:\\.\\d{1,2})?|\\d{0,2}\\.\\d{3},\\d\\d?|\\d{0,5},\\d\\d?)' +
  '(?![,./-]?\\p{Nd}| \\p{Nd}{3,12}(?![,.\\p{Nd}]))';
const NO_NUMBER = `${UUID}|${REQUEST_ID}|${COMPACT_DATE}|${DATE}|${OTHER_DATE}|${AMOUNT}`;
/** What people and programs put between digits: also marks that set the direction of a copied number. */
const BETWEEN =
  "[\\s()\\[\\]./\\\\'*|~\\u00ad\\u00b7\\u200b-\\u2015\\u2018\\u2019\\u2022-\\u202e\\u2060-\\u2069\\u2212\\ufeff" +
  '\\uff08\\uff09\\uff0d\\uff0e_-]{0,4}';
const COMMA = '[,\\u060c\\u3001\\uff0c]';
/** A comma also separates the items of a list: single digits, dates, and addresses. */
const NO_ITEM =
  '(?=\\p{Nd}{2})(?!(?:19|20)\\d\\d-[01]\\d-[0-3]\\d(?!\\d)|\\d{1,2}[./]\\d{1,2}[./]\\d{4}(?!\\d)|(?:\\d{1,3}\\.){3}\\d{1,3}(?!\\d))';
const MORE = `(?:${BETWEEN}|${COMMA}${NO_ITEM})(?!${UUID})\\p{Nd}`;
/** After an international or area code, a space may follow the comma. */
const MORE_OF_PHONE = `(?:${BETWEEN}|${COMMA} ?${NO_ITEM})(?!${UUID})\\p{Nd}`;
/** Takes a whole run of digits at a time, so that the time is linear. */
const DIGITS = new RegExp(
  `(?<!\\p{Nd})(?:${NO_NUMBER})|(?:[+\\uff0b]\\p{Nd}|0(?=\\p{Nd}))(?:${MORE_OF_PHONE})*|\\p{Nd}(?:${MORE})*`,
  'giu',
);
const IS_NO_NUMBER = new RegExp(`^(?:${NO_NUMBER})$`, 'iu');
/** What precedes the number of a document, such as INV-2026-00017. */
const DOCUMENT = /(?<![\p{L}\p{Nd}])(?!(?:TEL|TELEFON|PHONE|FON|FAX|MOB|MOBIL|MOBILE|CELL|HANDY)-)[A-Z][A-Z\d]{0,11}-$/u;
const FEWEST_DIGITS = 7;

/** A text without credentials, e-mail addresses, account and phone numbers. */
export function maskText(text: string): string {
  return maskNumbers(maskSecrets(text).replace(IBAN, MASK).replace(VANITY, MASK));
}

function maskSecrets(text: string): string {
  return text
    .replace(SECRETS, MASK)
    .replace(AUTHORIZATION, `$1 ${MASK}`)
    .replace(USER_INFO, `://${MASK}@`)
    .replace(EMAIL, MASK)
    .replace(NAMED, `$1${MASK}`)
    .replace(SPOKEN, `$1${MASK}`)
    .replace(SPOKEN_DIGITS, `$1${MASK}`)
    .replace(DIGITS_AND_LETTERS, (run) => (isMixed(run) ? MASK : run))
    .replace(RANDOM, (run) => (isRandom(run) ? MASK : run))
    .replace(RANDOM_BASE64, (run) => (isRandom(run) ? MASK : run));
}

function isRandom(run: string): boolean {
  return /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run);
}

/** Whether letters and digits alternate as in random text; words with a number do so once or twice. No word has digits of base 16 only. */
function isMixed(run: string): boolean {
  if (/^[0-9a-f]+$/i.test(run) && new Set(run.toLowerCase()).size >= FEWEST_HEX_DIGITS) return true;
  return (run.match(/\d(?=[A-Za-z])/g) ?? []).length >= 3;
}

/** Masks all that consists of so many digits, with or without letters attached; not dates, amounts, IP addresses and ids. */
function maskNumbers(text: string): string {
  return text.replace(DIGITS, (run, ...rest) => {
    const at = rest.find((part) => typeof part === 'number') as number;
    if ((run.match(/\p{Nd}/gu) ?? []).length < FEWEST_DIGITS || IS_NO_NUMBER.test(run) || isIpAddress(run)) return run;
    return DOCUMENT.test(text.slice(Math.max(0, at - 14), at)) ? run : MASK;
  });
}

function isIpAddress(run: string): boolean {
  const parts = run.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}
