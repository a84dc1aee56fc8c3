/** The texts of forms in English. The other languages have the same members. `label`: the label of the field. */
export const EN = {
  rejectedTitle: (title: string) => `Not sent yet: ${title}`,
  sentTitle: (title: string) => `Sent: ${title}`,
  notSent: 'It has not been sent yet',
  thanks: 'Thank you. Your answers have been received.',
  tooMany: (minutes: number) =>
    `Too many submissions came from your network. Your answers are still here: please send them again in ${minutes} minutes.`,
  send: 'Send',
  optional: 'optional',
  choose: 'Please choose',
  row: (label: string, row: number) => `${label}, row ${row}`,
  hints: {
    money: (currency: string, example: string) => `In ${currency}, for example ${example}`,
    phone: 'With the country code, for example +49 30 901820',
    time: (zone: string) => `In the time zone ${zone}`,
  },
  problems: {
    required: (label: string) => `${label} is required.`,
    tick: (label: string) => `Please tick: ${label}`,
    money: (label: string, example: string) => `${label} must be an amount such as ${example}.`,
    negative: (label: string) => `${label} must not be negative.`,
    integer: (label: string, example: string) => `${label} must be a whole number such as ${example}.`,
    number: (label: string, example: string) => `${label} must be a number such as ${example}.`,
    digits: (label: string) => `${label} has more digits than can be kept exactly.`,
    email: (label: string) => `${label} must be an e-mail address.`,
    date: (label: string, example: string) => `${label} must be a day such as ${example}.`,
    time: (label: string) => `${label} must be a day with a time.`,
    uri: (label: string) => `${label} must be an address that begins with https://.`,
    phone: (label: string) => `${label} must be a phone number with its country code, such as +49 30 901820.`,
    party: (label: string) => `${label} must be the name of a person or company: one line of at most 255 characters.`,
    user: (label: string) => `${label} must be a member's e-mail address.`,
    currency: (label: string) => `${label} must be an ISO 4217 currency code, such as EUR.`,
    format: (label: string) => `${label} does not have the required format.`,
    oneOf: (label: string, values: string) => `${label} must be one of ${values}.`,
    shortest: (label: string, limit: string) => `${label} must have at least ${limit} characters.`,
    longest: (label: string, limit: string) => `${label} must not have more than ${limit} characters.`,
    least: (label: string, limit: string) => `${label} must be at least ${limit}.`,
    most: (label: string, limit: string) => `${label} must be at most ${limit}.`,
    above: (label: string, limit: string) => `${label} must be more than ${limit}.`,
    below: (label: string, limit: string) => `${label} must be less than ${limit}.`,
    multiple: (label: string, of: string) => `${label} must be a multiple of ${of}.`,
    fewestRows: (label: string, limit: string) => `${label} must have at least ${limit} rows.`,
    mostRows: (label: string, limit: string) => `${label} must not have more than ${limit} rows.`,
    invalid: (label: string) => `${label} is not valid.`,
  },
  upload: {
    label: 'Filled-in PDF',
    hint: 'The values in the file are copied into the fields below and replace what is there. Nothing is sent yet. At most 10 MiB.',
    button: 'Fill in from the file',
    notRead: (name: string) =>
      `Filled-in PDF: ${name} has not been read. Choose it again and press “Fill in from the file”, or send without it.`,
    tooLarge: 'Filled-in PDF: the file is larger than 10 MiB.',
    none: 'Filled-in PDF: choose a file first.',
    noPdf: 'Filled-in PDF: the file is not a PDF.',
    noText:
      'Filled-in PDF: the file has no text where the values should be; a scanned page cannot be read. Please fill in the fields below.',
    unreadable: (reason: string) => `Filled-in PDF: ${reason}.`,
    unable: 'Filled-in PDF: this form cannot read files at the moment. Please fill in the fields below.',
    busy: 'Filled-in PDF: too many files are being read, or this one takes too long. ' + 'Please try again shortly, or fill in the fields.',
    field: (label: string, reason: string) => `${label} could not be read from the file: ${reason}.`,
    rows: (label: string, rows: number, most: number) =>
      `${label}: the file has ${rows} rows, and this form takes ${most}. The others were left out.`,
    filledNone: 'No field was filled in from the file. Please fill in the fields, then send.',
    filled: (count: number) =>
      `${count === 1 ? '1 field was' : `${count} fields were`} filled in from the file. Please check everything, then send.`,
  },
};

/** The texts of one language. */
export type FormTexts = typeof EN;
