import type { Headers } from 'mailparser';

/** Addresses that only programs send from. */
const PROGRAM = new RegExp(
  `^(?:${[
    'no[-_.]?reply|do[-_.]?not[-_.]?reply|wordpress|www(?:-data)?|webmaster|web-?(?:site|form)|mailer|apache|nginx|nobody|root',
    '(?:contact|kontakt)?-?form(?:ular)?(?:-?submissions?)?|forms|submissions?|form-?responses',
  ].join('|')})(?:[+.-].*)?@`,
);

/** Further ones at the domains of such services, where people write as well. */
const NOTIFIER = 'notif(?:y|ications?)|alerts?|follow-?ups?|responses?|results?|leads?|messages?|mail|bot|app';

/** The domains and addresses from which services mail what was entered into a form. */
const SERVICES = new RegExp(
  `(?:\\.|^(?:${NOTIFIER})(?:[+.-].*)?@)(?:${[
    'typeform|jotform|formspree|formsubmit|formstack|wufoo|cognitoforms|paperform|tally|fillout|getform|formcarry|usebasin|formbold',
    'formbucket|web3forms|staticforms|submit-form|formcrafts|123formbuilder|123contactform|emailmeform|formsite|zohoforms|formassembly',
    'smtp2form|wpforms|gravityforms|ninjaforms|fluentforms|elementor|forminator|formidableforms|wix-forms|squarespace|webflow|landbot',
    'surveymonkey|hubspot|hsforms|unbounce|leadpages|instapage|involve',
  ].join('|')})\\.(?:com|io|co|net|org|so|me|app|dev|info|eu|de)$`,
);

/** How forms and their programs are called, in the name of a sender. */
const NAMES = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    '(?:kontakt|anfrage|web|online|bestell|buchungs|service)[- ]?formular',
    '(?:contact|web|website|online|enquiry|inquiry|quote|support|feedback|lead)[- ]?form',
    'forms? (?:submissions?|notifications?|responses?|entry)',
    'website (?:enquiry|inquiry|contact|feedback|messages?|visitors?|notifications?)',
    'formulaire (?:de )?(?:contact|web|demande)|formulario (?:de )?(?:contacto|web|consulta)|formulário (?:de )?contato',
    'modulo (?:di )?contatt[oi]',
    'contactformulier|kontaktskjema|kontaktformulär|yhteydenottolomake|formularz kontaktowy|kontaktní formulář',
    'форма (?:обратной связи|заявки)|お問い合わせフォーム|联系表单',
  ].join('|')})(?![\\p{L}\\p{N}])|^(?:${[
    'typeform|jotform|formspree|wufoo|wpforms|gravity forms|ninja forms|contact form 7|elementor forms?|google forms|zoho forms',
  ].join('|')})(?![\\p{L}\\p{N}])|^(?:${[
    'wordpress|(?:the |our )?web-?site|web site|web-?seite|homepage|site web|sitio web|sito web',
    'contact us|get in touch|kontaktieren sie uns|contactez[- ]nous|contáct[ae]nos|contattaci|fale conosco',
  ].join('|')})$`,
  'iu',
);
/** In the name of a company or its staff, which may be called after forms. */
const STAFF = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    'ltd|limited|inc|llc|plc|corp|company|gmbh|ag|kg|sarl|sas|bv|srl',
    'team|lead(?! form)|head|manager|director|engineer|designer|consultant|sales',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** Libraries by which a script of a website sends mails, as they name themselves in X-Mailer. */
const LIBRARIES = new RegExp(
  `^(?:${[
    'phpmailer|php|wp[ -]?mail(?:[ -]?smtp)?|(?:fluent|post|easy[ -]?wp)[ -]?smtp|wordpress|swift ?mailer|symfony|laminas',
    'zend(?:[ -]?framework)?|drupal|joomla|typo3|contao|codeigniter|cakephp|jmail',
  ].join('|')})(?![a-z])`,
  'i',
);
/** Scripts of mail programs that people use in a browser. */
const WEBMAIL = /(?:rcube|roundcube|horde|squirrel|rainloop|snappy|afterlogic|sogo|nextcloud)/i;
const SCRIPT = ['x-php-originating-script', 'x-php-script', 'x-php-filename'];

/**
 * Whether a script of a website sent the mail, by its headers. A mail program names itself instead in User-Agent or X-Mailer, also one that
 * is a script.
 */
export function isOfScript(headers: Headers): boolean {
  const [mailer = '', agent = ''] = ['x-mailer', 'user-agent'].map((name) => textOf(headers, name));
  if (agent !== '' && !LIBRARIES.test(agent)) return false;
  if (mailer !== '') return LIBRARIES.test(mailer);
  const scripts = SCRIPT.map((name) => textOf(headers, name)).filter((script) => script !== '');
  return LIBRARIES.test(agent) || (scripts.length > 0 && !scripts.some((script) => WEBMAIL.test(script)));
}

export function isFormAddress(email: string): boolean {
  return PROGRAM.test(email) || SERVICES.test(email);
}

export function isFormName(name: string | null): boolean {
  return name !== null && NAMES.test(name) && !STAFF.test(name);
}

function textOf(headers: Headers, name: string): string {
  const value = [headers.get(name) ?? ''].flat()[0];
  return typeof value === 'string' ? value.trim() : '';
}
