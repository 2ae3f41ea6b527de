/**
 * 256 common English words of four letters. With the space before it, each is one token in the vocabularies of
 * current models, so a prompt of n words is about n tokens; the same length keeps `content-length` constant.
 */
export const WORDS: readonly string[] = (
  'able also area army away baby back ball band bank base bath bear beat been bell best bill bird blow blue ' +
  'boat body bone book boom born boss both bowl bulk busy call calm came camp card care case cash cast cell ' +
  'chat chip city club coal coat code cold come cook cool cope copy core cost crew crop dark data date dawn ' +
  'days deal dean dear debt deep desk dial diet disc disk does done door dose down draw drew drop dual dust ' +
  'duty each earn ease east easy edge else even ever exit face fact fail fair fall farm fast fate fear feed ' +
  'feel feet fell felt file fill film find fine fire firm fish five flat flow food foot ford form fort four ' +
  'free from fuel full fund gain game gate gave gear gene gift girl give glad goal goes gold gone good gray ' +
  'grew grey grow hair half hall hand hard harm have head hear heat held help here hero high hill hire hold ' +
  'home hope host hour huge idea inch into iron item join jump jury just keen keep kept kick kind king knee ' +
  'knew know lack lady laid lake land lane last late lead left less life lift like line link list live load ' +
  'loan lock long look lord lose loss lost love luck made mail main make male many mark mass meal mean meat ' +
  'meet menu mile milk mill move much must name near need news next nice nine none note once only open over ' +
  'page part path plan'
).split(' ')
