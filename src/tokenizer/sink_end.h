/* sink_end.h - the end of a sink's macros (lanner.c). */
#undef SINK_CHARACTERS
#undef SINK_NULLS
#undef SINK_START_TAG
#undef SINK_END_TAG
#undef SINK_COMMENT
#undef SINK_PI
#undef SINK_DOCTYPE
#undef SINK_EOF
#undef SINK_CDATA_ALLOWED
#undef SINK_USUAL_END_TAG
#undef SINK_ATTRIBUTE
#undef SINK_ATTRIBUTE_VALUE
