/**
 * Negating words, by the method of NegEx (Chapman et al. 2001): words before a finding, words after one, words that only
 * look like a negation, and words that end a negation. The lists are our own.
 *
 * Semicolons separate rules. `(a|b)` is a choice and `[a|b]` an optional one; they do not nest. A rule with a full stop
 * applies only at the end of its clause, and one with a colon only after a colon. Of the rules that begin at one word
 * the longest applies: "no change" of `seeming` overrides "no" of `before`.
 */
export const NEGATION_KINDS = ['before', 'after', 'seeming', 'end'] as const
export type NegationKind = (typeof NEGATION_KINDS)[number]

const BE = 'is|are|was|were'
const BEEN = 'has been|have been|had been'
const SEEN = `seen|present|identified|evident|visualized|visible|demonstrated|detected|found|noted|appreciated|
  observed|apparent|shown|elicited`
const MUCH =
  'significant|substantial|appreciable|definite|definitive|convincing|obvious|gross|clear|apparent|acute|major'
const WHOLLY = 'completely|entirely|definitely|definitively|absolutely|totally|fully|reliably|clearly'
const FILM = 'study|studies|exam|exams|examination|examinations|film|films|radiograph|radiographs|imaging'

const NEGATION_RULES: Readonly<Record<NegationKind, string>> = {
  // "no fever", "denies chest pain": negates what follows.
  before: `
    no; not; nor; neither; never; without; w o; cannot; can't; none of the; (no|without|not|denies|denied) (any|known);
    isn't; aren't; wasn't; weren't; doesn't; don't; didn't; hasn't; haven't; hadn't; couldn't;
    (no|not|without|never) [any] [${MUCH}|radiographic|clinical|other]
      (evidence|sign|signs|indication|suggestion|symptoms|findings|history|hx|complaints|suspicion|features)
      (of|for|to suggest|consistent with);
    no longer (has|have|had|shows|reports); (does|do|did) not (have|show|reveal|demonstrate|report|appear);
    denies; denied; deny; denying; denial of; (free|clear|devoid) of; free from; [${BE}|remains] (negative|neg) for;
    (absence|lack|resolution|clearing|removal) of; lacks; lacking; absent; resolved;
    (rule|rules|ruled|ruling) out; ruled out for; rule-out; r o; exclude; excludes; excluded; excluding;
    (fails|failed) to (show|reveal|demonstrate); unremarkable for; (argues|argue|speaks|evidence) against;
    rather than; instead of`,

  // "pneumonia was ruled out", "effusion is absent": negates what precedes.
  after: `
    (${BE}|${BEEN}) (ruled out|excluded|absent|negative|denied); [${BE}] unlikely;
    (ruled out|excluded|resolved) (by|with|on|at|after);
    [${BE}|has|have|had|can|could] not [been|be] [definitely|definitively|clearly|currently|otherwise]
      (${SEEN}|suspected|likely|reported);
    (isn't|aren't|wasn't|weren't|cannot be|can't be) (${SEEN}); [${BE}] no longer (${SEEN});
    (has|have|had) [now|since|completely] (resolved|cleared|disappeared); (is|are) [now] (resolved|gone);
    (has|have) been removed;
    negative.; neg.; absent.; denied.; resolved.; excluded.; ruled out.; : none.; : no.`,

  // "no change in the effusion", "not only fever": the finding is present, or its presence is left open.
  seeming: `
    (no|not|without) [any] [${MUCH}] [interval]
      (change|changes|increase|decrease|improvement|worsening|progression|difference|growth);
    not [significantly|substantially|appreciably|much] (changed|increased|decreased|improved|worsened|different);
    [${BE}|has|have|had] not [been|be] [${WHOLLY}] (excluded|ruled out|resolved|cleared);
    [may|could|can|would] not [be] [${WHOLLY}] (exclude|excluded|rule out|ruled out);
    (cannot|can't|couldn't|difficult to|hard to|impossible to|unable to|not able to) [be] [${WHOLLY}]
      (exclude|excluded|rule out|ruled out);
    (should|must|to) be (excluded|ruled out); may not be (${SEEN});
    [${BE}] not (absent|negative|unlikely); not (without|free of|deny|lacking);
    (incompletely|partially|partly|nearly|almost) (excluded|resolved|cleared);
    (partial|incomplete|near-complete|further|to|document|ensure) (resolution|clearing) of;
    not (only|just|merely|simply|necessarily|limited to|due to|caused by|related to|relieved by);
    [${BE}] not (well|fully|completely|adequately|optimally|as well|as clearly)
      (seen|visualized|demonstrated|defined|evaluated|assessed|identified);
    not (certain|sure|clear|known) (if|whether); no (doubt|question|wonder|matter|more than|less than);
    no (comparison|comparisons); no (prior|previous|old) (${FILM}); (with|whether) or (without|not); if not; or not;
    without (difficulty|delay|complication|complications|incident);
    (gram|rh|false) negative; negative (pressure|margins|predictive); nothing but`,

  // "no fever but a cough": ends a negation.
  end: `
    but; however; although; though; yet; except; nevertheless; whereas; while; instead; otherwise; despite; besides;
    (apart|aside) from; other than; with the exception of; because; since; until; unless; (due|secondary) to;
    in the setting of; which; who; where; when; there (${BE}|${BEEN}|remains); (presents|presented) with;
    (complains|complained) of; reports; endorses; admits; states; positive for; stable; unchanged;
    most likely; likely; probably; possibly`
}

/** Verbs that show that a comma or "and" begins a new clause: "no fever, lungs are clear". */
export const CLAUSE_VERBS: ReadonlySet<string> = new Set(
  `is are was were has have had appears appear remains remain shows show demonstrates reveals represents reports
  complains presents seems looks feels states endorses admits does may might can could will would should`.split(/\s+/)
)

/** Words that close a negated list: "no edema, effusion or mass is seen". */
export const LIST_ENDINGS: ReadonlySet<string> = new Set(
  'seen identified demonstrated visualized appreciated evident detected found suspected observed'.split(' ')
)

/** Words of a statement, which tell where or since when something is, or what was done: "denies fever, alcohol on breath". */
export const DETAILS: ReadonlySet<string> = new Set(
  `on at to with from after since for x per under by during into over smells smelled drank drinking fell found hit struck
  took taken brought came arrived walked ambulatory alert awake normal see consider`.split(/\s+/)
)

/** Abbreviations whose full stop does not end a sentence, besides those with a dot inside, such as "e.g". */
export const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'dr drs mr mrs ms prof st jr sr vs approx resp pt dept fig cf al ca'.split(' ')
)

/** The rules as a tree of words; walking along the text finds the longest rule. */
export interface RuleNode {
  readonly next: ReadonlyMap<string, RuleNode>
  /** The kind of the rule that ends with this word. */
  readonly kind: NegationKind | undefined
  /** Its kind at the end of a clause; takes precedence over `kind`. */
  readonly kindAtEnd: NegationKind | undefined
}

interface GrowingNode extends RuleNode {
  readonly next: Map<string, GrowingNode>
  kind: NegationKind | undefined
  kindAtEnd: NegationKind | undefined
}

/** Made on demand, once: it takes milliseconds, and each reader needs it. */
const made: {tree?: RuleNode} = {}

export function negationTree(): RuleNode {
  made.tree ??= growTree()
  return made.tree
}

function growTree(): RuleNode {
  const root = newNode()
  for (const kind of NEGATION_KINDS)
    for (const rule of rulesOf(kind)) {
      const isAtEnd = rule.endsWith('.')
      for (const words of spellOut(isAtEnd ? rule.slice(0, -1) : rule)) {
        const node = words.reduce(grow, root)
        if (isAtEnd) node.kindAtEnd = kind
        else node.kind = kind
      }
    }
  return root
}

/** The rules of one kind, as written. */
export function rulesOf(kind: NegationKind): string[] {
  return NEGATION_RULES[kind].split(';').map(rule => rule.trim())
}

/** Every sequence of words that a rule covers: four for "(is|was) [now] gone". */
export function spellOut(rule: string): string[][] {
  let spelled: string[][] = [[]]
  for (const [part] of rule.matchAll(/\([^)]*\)|\[[^\]]*\]|[^\s()[\]]+/g)) {
    const isGroup = part.startsWith('(') || part.startsWith('[')
    const choices = isGroup ? part.slice(1, -1).split('|') : [part]
    if (part.startsWith('[')) choices.push('')
    spelled = spelled.flatMap(words =>
      choices.map(choice => [...words, ...choice.split(/\s+/).filter(word => word !== '')])
    )
  }
  return spelled
}

function newNode(): GrowingNode {
  return {next: new Map(), kind: undefined, kindAtEnd: undefined}
}

function grow(node: GrowingNode, word: string): GrowingNode {
  const known = node.next.get(word)
  if (known !== undefined) return known
  const fresh = newNode()
  node.next.set(word, fresh)
  return fresh
}
