// The marks that the report's charts use; everything else is left out of the bundle.
export {
  axisX,
  axisY,
  dot,
  gridX,
  gridY,
  lineY,
  plot,
  pointerX,
  pointerY,
  ruleX,
  ruleY,
  text,
  tip,
} from "@observablehq/plot";
